//! Flow fields and crowds.
