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
    void abandonBeforeTheSendStopsIt() {
        assertThat(sendTask.abandon(false, "tcp://broker:1").why()).isEqualTo(Rejected.Cause.POOL);
        assertThat(catchThrowableOfType(Failed.class, sendTask::committing).why())
                .isEqualTo(Failed.Cause.UNDONE);
        assertThat(catchThrowableOfType(Failed.class, sendTask::sending).why()).isEqualTo(Failed.Cause.UNDONE);
    }

    @Test
    void abandonBeforeTheCommitStopsIt() throws Exception {
        sendTask.sending();
        assertThat(sendTask.abandon(false, "tcp://broker:1").why()).isEqualTo(Failed.Cause.UNDONE);
        assertThat(catchThrowableOfType(Failed.class, sendTask::committing).why())
                .isEqualTo(Failed.Cause.UNDONE);
    }

    @Test
    void abandonAfterTheCommitIsUnknown() throws Exception {
        sendTask.sending();
        sendTask.committing();
        assertThat(sendTask.abandon(false, "tcp://broker:1").why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(sendTask.abandon(true, "tcp://broker:1").why()).isEqualTo(Unknown.Cause.INTERRUPTED);
    }
}
