package dev.penstock.races.jmsflow;

import dev.penstock.races.jmsflow.KillRound.Who;
import java.util.ArrayList;
import java.util.List;

/** Runs only the kill rounds: prints a line for each, and the sum. */
final class KillRounds {
    private KillRounds() {}

    /**
     * Runs the rounds.
     *
     * @param args the number of rounds per kind, and of messages per round; default 20 and 20,000
     */
    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 20;
        int messages = args.length > 1 ? Integer.parseInt(args[1]) : KillCourse.MESSAGES;
        List<KillRound> all = new ArrayList<>();
        for (Who who : Who.values()) {
            for (int round = 1; round <= rounds; round++) {
                KillRound done = KillRound.run(who, messages, round);
                System.out.println("round " + round + ": " + done.describe());
                all.add(done);
            }
        }
        System.out.printf(
                "%d kills: lost %d, redelivered %d (at most %d per kill, %d beyond those in flight), effects repeated %d, dead letters %d%n",
                all.size(),
                all.stream().mapToInt(KillRound::lost).sum(),
                all.stream().mapToInt(KillRound::redelivered).sum(),
                all.stream().mapToInt(KillRound::redelivered).max().orElse(0),
                all.stream().mapToInt(KillRound::beyondInFlight).sum(),
                all.stream().mapToInt(KillRound::repeated).sum(),
                all.stream().mapToLong(KillRound::deadLetters).sum());
        System.exit(0);
    }
}
