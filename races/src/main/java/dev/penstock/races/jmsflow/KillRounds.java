package dev.penstock.races.jmsflow;

import dev.penstock.races.jmsflow.KillRound.Who;
import java.util.ArrayList;
import java.util.List;

/** The kills by themselves: a line for each, and the sum of all. */
final class KillRounds {
    private KillRounds() {}

    /**
     * Runs them.
     *
     * @param args how many of each kind, and how many messages each; default 20 and 20,000
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int messages = args.length > 1 ? Integer.parseInt(args[1]) : KillCourse.MESSAGES;
        List<KillRound> all = new ArrayList<>();
        for (Who who : Who.values()) {
            for (int round = 1; round <= rounds; round++) {
                KillRound done = KillRound.run(who, messages, round);
                System.out.println("round " + round + ": " + done.words());
                all.add(done);
            }
        }
        System.out.printf(
                "%d kills: lost %d, came again %d (at most %d at once, %d beyond those in flight), took effect again %d, dead letters %d%n",
                all.size(),
                all.stream().mapToInt(KillRound::lost).sum(),
                all.stream().mapToInt(KillRound::cameAgain).sum(),
                all.stream().mapToInt(KillRound::cameAgain).max().orElse(0),
                all.stream().mapToInt(KillRound::beyondInFlight).sum(),
                all.stream().mapToInt(KillRound::repeated).sum(),
                all.stream().mapToLong(KillRound::deadLetters).sum());
        System.exit(0);
    }
}
