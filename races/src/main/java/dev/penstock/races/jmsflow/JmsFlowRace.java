package dev.penstock.races.jmsflow;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Race;
import dev.penstock.races.jmsflow.MessageWork.HandlerTime;
import java.util.List;

/** How fast a queue is consumed with a limited number of messages in flight, and what is lost. */
public final class JmsFlowRace implements Race {
    private static final int JUDGED = 6;
    private static final HandlerTime SHORT = new HandlerTime(20, 20);
    private static final HandlerTime LONG = new HandlerTime(50, 200);

    /** For the service loader. */
    public JmsFlowRace() {}

    @Override
    public String name() {
        return "jms-flow";
    }

    @Override
    public String question() {
        return "How fast is a queue consumed with a limited number of messages in flight, and what is lost or handled twice?";
    }

    @Override
    public List<Course> courses() {
        return List.of(
                new FlowCourse("0ms", HandlerTime.NONE, false, JUDGED),
                new FlowCourse("0ms-persistent", HandlerTime.NONE, true, JUDGED),
                new FlowCourse("20ms", SHORT, false, JUDGED),
                new FlowCourse("20ms-persistent", SHORT, true, JUDGED),
                new FlowCourse("50-200ms", LONG, false, JUDGED),
                new FlowCourse("50-200ms-persistent", LONG, true, JUDGED),
                new BacklogCourse());
    }
}
