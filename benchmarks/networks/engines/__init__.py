"""What runs a network, each engine in a process of its own; needs the packages of requirements.txt."""
