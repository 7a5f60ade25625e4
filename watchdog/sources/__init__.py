"""Where data comes from: each file opens one kind of source, read-only, and leaves nothing behind beside it."""
