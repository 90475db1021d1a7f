"""The trainer of the line network: from sample files to the engine's network file."""
