"""The commands of `canasta`: each module adds its own by `register(app)`."""
