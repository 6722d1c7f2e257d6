"""All that a header declares, in order: templates, instances and macros, too."""
