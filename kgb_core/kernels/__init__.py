"""Where candidates come from: reading packs of kernel files and matching each file to an operator."""
