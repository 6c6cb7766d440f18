package dev.penstock.lab.probe;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The idle time after which connections are killed.
 *
 * @param kind how they are killed; null when none was
 * @param lived the longest idle time that all connections survived
 * @param died the shortest idle time that no connection survived; null when none was killed
 * @param killAfter the best estimate, between the two; null when none was killed
 * @param connections the number of connections tried
 * @param why the evidence, in one sentence with its numbers
 */
public record IdleFinding(
        @Nullable KillKind kind,
        Duration lived,
        @Nullable Duration died,
        @Nullable Duration killAfter,
        int connections,
        String why) {
    /**
     * The time before which no connection is killed: for a silent kill the longest that all connections survived,
     * because an estimate that is too long would go unnoticed. Zero when none was killed.
     */
    Duration before() {
        boolean isSeen = kind != KillKind.SILENT || lived.isZero();
        return killAfter == null ? Duration.ZERO : isSeen ? killAfter : lived;
    }
}
