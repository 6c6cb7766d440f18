package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * One error or warning of a flow file.
 *
 * @param location where it is; null for the file as a whole, for instance when it does not exist
 * @param text what is wrong; what to do
 */
record ConfigProblem(@Nullable FileLocation location, String text) {
    /** The line shown to the operator. */
    String line(String file) {
        return location == null
                ? file + ": " + text
                : file + ":" + location.line() + ":" + location.column() + ": " + text;
    }

    FileLocation sortedBy() {
        return location == null ? FileLocation.NOWHERE : location;
    }
}
