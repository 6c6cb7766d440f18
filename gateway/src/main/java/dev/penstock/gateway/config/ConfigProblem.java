package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong, or doubtful, in a flow file.
 *
 * @param place where; null when it concerns the file as a whole, for instance because there is none
 * @param text what is wrong; what to do
 */
record ConfigProblem(@Nullable FileLocation place, String text) {
    /** The one line that a person reads. */
    String line(String file) {
        return place == null ? file + ": " + text : file + ":" + place.line() + ":" + place.column() + ": " + text;
    }

    FileLocation sortedBy() {
        return place == null ? FileLocation.NOWHERE : place;
    }
}
