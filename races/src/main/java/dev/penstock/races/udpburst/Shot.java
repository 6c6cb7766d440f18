package dev.penstock.races.udpburst;

import java.util.List;

/**
 * What became of some datagrams that were sent together.
 *
 * @param sent how many
 * @param answered how many of them were answered, each counted once
 * @param wrong answers that were not what they had to be, or came twice
 * @param waiting how many had no answer yet when the last was sent
 * @param sendNanos from the first sent to the last sent
 * @param nanos from the first sent to the last answer
 * @param longestNanos the longest that one took, from when it was sent to its answer
 */
record Shot(long sent, long answered, long wrong, long waiting, long sendNanos, long nanos, long longestNanos) {
    long lost() {
        return sent - answered;
    }

    /** How fast they were sent, a second. */
    double sendRate() {
        return sent * 1e9 / Math.max(1, sendNanos);
    }

    /** All of these as one, whose times add up. */
    static Shot sum(List<Shot> shots) {
        return new Shot(
                shots.stream().mapToLong(Shot::sent).sum(),
                shots.stream().mapToLong(Shot::answered).sum(),
                shots.stream().mapToLong(Shot::wrong).sum(),
                shots.stream().mapToLong(Shot::waiting).max().orElse(0),
                shots.stream().mapToLong(Shot::sendNanos).sum(),
                shots.stream().mapToLong(Shot::nanos).sum(),
                shots.stream().mapToLong(Shot::longestNanos).max().orElse(0));
    }
}
