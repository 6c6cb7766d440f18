package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import jakarta.jms.JMSException;
import org.junit.jupiter.api.Test;

class ErrandTest {
    private final Errand errand = new Errand(queue -> {
        throw new JMSException("no lane");
    });

    @Test
    void whoLeavesBeforeItIsSentStopsIt() {
        assertThat(errand.leave(false).why()).isEqualTo(Rejected.Cause.POOL);
        assertThat(catchThrowableOfType(Failed.class, errand::keeping).why()).isEqualTo(Failed.Cause.UNDONE);
        assertThat(catchThrowableOfType(Failed.class, errand::sending).why()).isEqualTo(Failed.Cause.UNDONE);
    }

    @Test
    void whoLeavesBeforeItIsToldToBeKeptStopsIt() throws Exception {
        errand.sending();
        assertThat(errand.leave(false).why()).isEqualTo(Failed.Cause.UNDONE);
        assertThat(catchThrowableOfType(Failed.class, errand::keeping).why()).isEqualTo(Failed.Cause.UNDONE);
    }

    @Test
    void whoLeavesAfterThatIsInDoubt() throws Exception {
        errand.sending();
        errand.keeping();
        assertThat(errand.leave(false).why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(errand.leave(true).why()).isEqualTo(Unknown.Cause.INTERRUPTED);
    }
}
