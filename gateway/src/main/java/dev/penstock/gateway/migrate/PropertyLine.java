package dev.penstock.gateway.migrate;

import dev.penstock.gateway.config.FileLocation;

/**
 * One property of a file.
 *
 * @param place where its name begins
 */
record PropertyLine(String name, String value, FileLocation place) {
    /** Without the value, which may be a secret. */
    @Override
    public String toString() {
        return name + " in line " + place.line();
    }
}
