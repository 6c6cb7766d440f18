package dev.penstock.gateway.migrate;

import dev.penstock.gateway.config.FileLocation;

/**
 * One property of a file.
 *
 * @param location location of the name
 */
record PropertyLine(String name, String value, FileLocation location) {
    /** Omits the value, which may be a secret. */
    @Override
    public String toString() {
        return name + " in line " + location.line();
    }
}
