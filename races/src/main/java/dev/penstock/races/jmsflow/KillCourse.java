package dev.penstock.races.jmsflow;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Cue;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Goal;
import dev.penstock.races.GoalFigures;
import dev.penstock.races.jmsflow.KillRound.Who;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The consumer's or the broker's process is killed with {@code kill -9}; each block is one kill. */
final class KillCourse implements Course {
    static final int MESSAGES = 20_000;
    private static final int QUICK_MESSAGES = 5_000;
    private static final int ROUNDS = 20;
    private static final Duration ABOUT = Duration.ofSeconds(25);

    private static int messages(Effort effort) {
        return effort == Effort.FULL ? MESSAGES : QUICK_MESSAGES;
    }

    private static String name(Who who) {
        return who.word() + "-killed";
    }

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public String workload(Effort effort) {
        return String.format(
                Locale.ROOT,
                "%,d persistent messages, handlers take 20 ms, %d in flight, dedupe by message id with an idempotency store in a"
                        + " file; the consumer's or the broker's process is killed (kill -9) at a random moment and restarted",
                messages(effort),
                JmsFlowContestants.BOUND);
    }

    @Override
    public List<Entry> entries() {
        return Arrays.stream(Who.values())
                .map(who -> Entry.inside(name(who), Role.OURS, Map.of("killed", who.word())))
                .toList();
    }

    @Override
    public List<String> judged() {
        return List.of("lost", "repeated", "beyond_in_flight");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "lost", "repeated", "came_again", "in_flight_at_kill", "beyond_in_flight", "dead_letters", "killed_at");
    }

    @Override
    public int rounds() {
        return ROUNDS;
    }

    @Override
    public boolean measuresNoise() {
        return false;
    }

    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return ABOUT;
    }

    @Override
    public Scene open(Block block) {
        return Scene.EMPTY;
    }

    @Override
    public BlockResult run(Block block, Cue cue) throws Exception {
        Who who = Arrays.stream(Who.values())
                .filter(one -> name(one).equals(block.entry()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kill has no contestant " + block.entry()));
        cue.ready();
        return BlockResult.of(
                KillRound.run(who, messages(block.effort()), block.seed()).metrics());
    }

    @Override
    public List<Goal> goals(List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        return figures.ours(entries())
                .flatMap(ours -> Stream.concat(
                        figures.none(ours, List.of("lost", "repeated", "beyond_in_flight", "dead_letters")),
                        figures.most(ours, "in_flight_at_kill", JmsFlowContestants.BOUND)))
                .toList();
    }
}
