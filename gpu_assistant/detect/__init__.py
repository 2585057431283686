"""What is this computer?"""
