"""Carry the plan out."""
