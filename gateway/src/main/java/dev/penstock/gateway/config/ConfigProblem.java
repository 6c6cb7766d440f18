package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * One error or warning of a flow file.
 *
 * @param place location; null for the file as a whole, for instance when it does not exist
 * @param text what is wrong; what to do
 */
record ConfigProblem(@Nullable FileLocation place, String text) {
    /** The line shown to the operator. */
    String line(String file) {
        return place == null ? file + ": " + text : file + ":" + place.line() + ":" + place.column() + ": " + text;
    }

    FileLocation sortedBy() {
        return place == null ? FileLocation.NOWHERE : place;
    }
}
