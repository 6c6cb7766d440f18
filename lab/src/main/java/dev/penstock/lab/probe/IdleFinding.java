package dev.penstock.lab.probe;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * After what time without traffic connections are killed.
 *
 * @param kind how; null when none was killed
 * @param lived the longest idle time after which all were still there
 * @param died the shortest after which all were gone; null when none was killed
 * @param killAfter the best guess, between the two; null when none was killed
 * @param connections how many were tried
 * @param why what it rests on, in one sentence with its numbers
 */
public record IdleFinding(
        @Nullable KillKind kind,
        Duration lived,
        @Nullable Duration died,
        @Nullable Duration killAfter,
        int connections,
        String why) {}
