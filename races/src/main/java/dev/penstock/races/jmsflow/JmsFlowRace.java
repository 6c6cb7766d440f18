package dev.penstock.races.jmsflow;

import dev.penstock.races.DeclaredRace;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.util.List;

/** How fast a queue is consumed with a limited number of messages in flight, and what is lost. */
public final class JmsFlowRace extends DeclaredRace {
    private static final HandlerTime SHORT = new HandlerTime(20, 20);
    private static final HandlerTime LONG = new HandlerTime(50, 200);

    /** For the service loader. */
    public JmsFlowRace() {
        super(
                "jms-flow",
                "How fast is a queue consumed with a limited number of messages in flight, and what is lost or handled twice?",
                () -> List.of(
                        new FlowCourse("0ms", HandlerTime.NONE, false),
                        new FlowCourse("0ms-persistent", HandlerTime.NONE, true),
                        new FlowCourse("20ms", SHORT, false),
                        new FlowCourse("20ms-persistent", SHORT, true),
                        new FlowCourse("50-200ms", LONG, false),
                        new FlowCourse("50-200ms-persistent", LONG, true),
                        new BacklogCourse()));
    }
}
