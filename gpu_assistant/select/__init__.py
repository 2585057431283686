"""Which command fits it, and why?"""
