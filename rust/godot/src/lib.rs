//! Godot.
