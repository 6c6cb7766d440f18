package dev.penstock.lab.race;

import dev.penstock.text.Durations;
import java.time.Duration;

/**
 * The progress of a race.
 *
 * @param race its name
 * @param course the current course's name
 * @param contestant the current contestant, or how many run side by side
 * @param round from 1; 0 for the rehearsal
 * @param rounds the number of rounds
 * @param done completed blocks, of all courses
 * @param blocks the number of blocks
 * @param left approximate remaining time
 * @param load the block's own progress; empty when not reported
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
        return "block " + (done + 1) + " of " + blocks + "  left " + Durations.format(rounded(left)) + "  " + race + "/"
                + course + where + contestant + (load.isEmpty() ? "" : "  " + load);
    }

    private static Duration rounded(Duration time) {
        long seconds = Math.max(1, time.toSeconds());
        return seconds < 90 ? Duration.ofSeconds(seconds) : Duration.ofMinutes((seconds + 30) / 60);
    }
}
