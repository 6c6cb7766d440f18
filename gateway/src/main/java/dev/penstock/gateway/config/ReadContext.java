package dev.penstock.gateway.config;

import java.nio.file.Path;

/**
 * What every part of the reading of one file shares.
 *
 * @param folder where relative paths begin
 */
record ReadContext(Placeholders placeholders, ConfigProblems problems, Path folder) {}
