package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import jakarta.jms.JMSException;
import org.junit.jupiter.api.Test;

class SendTaskTest {
    private final SendTask sendTask = new SendTask(queue -> {
        throw new JMSException("no lane");
    });

    @Test
    void whoLeavesBeforeItIsSentStopsIt() {
        assertThat(sendTask.leave(false).why()).isEqualTo(Rejected.Cause.POOL);
        assertThat(catchThrowableOfType(Failed.class, sendTask::keeping).why()).isEqualTo(Failed.Cause.UNDONE);
        assertThat(catchThrowableOfType(Failed.class, sendTask::sending).why()).isEqualTo(Failed.Cause.UNDONE);
    }

    @Test
    void whoLeavesBeforeItIsToldToBeKeptStopsIt() throws Exception {
        sendTask.sending();
        assertThat(sendTask.leave(false).why()).isEqualTo(Failed.Cause.UNDONE);
        assertThat(catchThrowableOfType(Failed.class, sendTask::keeping).why()).isEqualTo(Failed.Cause.UNDONE);
    }

    @Test
    void whoLeavesAfterThatIsInDoubt() throws Exception {
        sendTask.sending();
        sendTask.keeping();
        assertThat(sendTask.leave(false).why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(sendTask.leave(true).why()).isEqualTo(Unknown.Cause.INTERRUPTED);
    }
}
