package dev.penstock.races.jmsflow;

import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.GoalRule;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.util.BitSet;

/** A full queue with one kind of messages and handlers. */
final class FlowCourse extends ConsumeCourse {
    private static final int FASTEST = 30_000;

    private final boolean persistent;

    /**
     * Declares a course.
     *
     * @param name unique in the race
     * @param time of a handler
     * @param persistent whether the messages are persistent
     */
    FlowCourse(String name, HandlerTime time, boolean persistent) {
        super(
                name,
                JmsFlowContestants.ALL,
                time.most() == 0
                        ? JmsFlowContestants.ALL.entries()
                        : JmsFlowContestants.ALL.without(JmsFlowContestants.DMLC_50),
                time,
                FASTEST);
        this.persistent = persistent;
        goals(GoalRule.most("in_flight_max", BOUND));
        goalsOf(
                JmsFlowContestants.PENSTOCK,
                time.most() == 0
                        ? GoalRule.times("tps", UNTHROTTLED, persistent ? 0.9 : 0.95)
                        : GoalRule.least("of_ceiling", 0.95),
                GoalRule.times("tps", JmsFlowContestants.STOP_START, 1.2));
        entries().stream()
                .filter(entry -> entry.role() == Role.PEER || entry.role() == Role.BEFORE)
                .forEach(entry -> goalsOf(JmsFlowContestants.PENSTOCK, GoalRule.times("tps", entry.name(), 1)));
    }

    @Override
    protected String backlog() {
        return "a full queue of " + (persistent ? "persistent" : "non-persistent")
                + " messages of 1 KB in a broker process over TCP";
    }

    @Override
    public Scene open(Block block) throws Exception {
        return Backlog.scene(messages(block), persistent);
    }

    @Override
    protected BitSet left(Block block, String url, MessageWork handling) throws Exception {
        return Backlog.drain(url, handling);
    }
}
