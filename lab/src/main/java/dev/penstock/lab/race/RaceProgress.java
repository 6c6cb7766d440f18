package dev.penstock.lab.race;

import dev.penstock.Durations;
import java.time.Duration;

/**
 * How far a race has come.
 *
 * @param race its name
 * @param course its name
 * @param contestant who runs now
 * @param round from 1 on; 0 for the rehearsal
 * @param rounds how many there are
 * @param done blocks that are over, of all courses
 * @param blocks how many there are
 * @param left how long it is still going to take, about
 * @param load how far the block has come; empty when it does not tell
 */
public record RaceProgress(
        String race,
        String course,
        String contestant,
        int round,
        int rounds,
        int done,
        int blocks,
        Duration left,
        String load) {
    /** For instance {@code block 17 of 84  left 31 min  http-pool/closings round 2 of 6 jetty  12s of 46s  ...}. */
    public String line() {
        String where = round == 0 ? " rehearsal " : " round " + round + " of " + rounds + " ";
        return "block " + (done + 1) + " of " + blocks + "  left " + Durations.words(rounded(left)) + "  " + race + "/"
                + course + where + contestant + (load.isEmpty() ? "" : "  " + load);
    }

    private static Duration rounded(Duration time) {
        long seconds = Math.max(1, time.toSeconds());
        return seconds < 90 ? Duration.ofSeconds(seconds) : Duration.ofMinutes((seconds + 30) / 60);
    }
}
