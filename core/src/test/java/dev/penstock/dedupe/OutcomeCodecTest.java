package dev.penstock.dedupe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Answered;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.io.IOException;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomeCodecTest {
    private final OutcomeCodec kept = new OutcomeCodec(new Words(), 1_000);

    private Ending back(Ending ending) {
        return kept.ending(Objects.requireNonNull(kept.bytes(ending)));
    }

    @Property(tries = 200)
    void anAnswerComesBackAsItWas(@ForAll @Size(max = 200) String answer) {
        assertThat(new OutcomeCodec(new Words(), 1_000).ending(Words.kept("x" + answer)))
                .isEqualTo(new Answered<>("x" + answer));
    }

    @ParameterizedTest
    @EnumSource(Unknown.Cause.class)
    void anUnknownEndingKeepsItsCauseButThatItsOwnCallerWasInterrupted(Unknown.Cause cause) {
        assertThat(back(new Unknown(cause, "line one\nline two"))).isInstanceOfSatisfying(Unknown.class, unknown -> {
            assertThat(unknown.why()).isEqualTo(cause == Unknown.Cause.INTERRUPTED ? Unknown.Cause.ERROR : cause);
            assertThat(unknown).hasMessageEndingWith("line one\nline two; not sent again");
        });
    }

    @Test
    void whoWaitedForAnotherIsToldWithTheExceptionBehindIt() {
        IOException reset = new IOException("Connection reset");
        assertThat((Unknown) OutcomeCodec.forOthers(new Unknown(Unknown.Cause.CLOSED, "no answer", reset)))
                .hasCause(reset);
    }

    @Test
    void whatWasNotSentOrHadNoEffectIsNotKept() {
        assertThat(kept.bytes(new Rejected(Rejected.Cause.LIMIT, "full"))).isNull();
        for (Failed.Cause cause : Failed.Cause.values()) {
            assertThat(kept.bytes(new Failed(cause, "why")) == null).isEqualTo(cause != Failed.Cause.REFUSED);
        }
        assertThat(kept.bytes(new Answered<>("busy"))).isNull();
    }

    @ParameterizedTest
    @EnumSource(Failed.Refusal.class)
    void refusalKeepsWhatIsWrong(Failed.Refusal refusal) {
        assertThat(back(Failed.refused(refusal, "no", null))).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED);
            assertThat(failed.refusal()).isEqualTo(refusal);
        });
    }

    @Test
    void anAnswerOfAnotherKindIsNotKeptButThatThereWasOne() {
        assertThat(back(new Answered<>(42))).isInstanceOf(Unknown.class);
    }

    @Property(tries = 300)
    void whateverTheBytesThereIsAnEndingAndItIsNeverRejected(@ForAll @Size(max = 30) byte[] bytes) {
        assertThat(new OutcomeCodec(new Words(), 1_000).ending(bytes)).isNotInstanceOf(Rejected.class);
    }
}
