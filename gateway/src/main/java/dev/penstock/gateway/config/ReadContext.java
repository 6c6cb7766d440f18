package dev.penstock.gateway.config;

import java.nio.file.Path;

/**
 * What all readers of one file share.
 *
 * @param folder the base of relative paths
 */
record ReadContext(Placeholders placeholders, ConfigProblems problems, Path folder) {}
