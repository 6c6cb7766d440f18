package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Busy;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchEndingsTest {
    private static final Unknown.Cause GARBLED = Unknown.Cause.GARBLED;

    private static BatchEndings<String> byKey(List<String> requests, String... answers) {
        return BatchEndings.byKey(requests, BatchEndingsTest::key, Arrays.asList(answers), BatchEndingsTest::key);
    }

    /** The first letter; none for what begins with a question mark. */
    private static @Nullable String keyOrNone(String text) {
        return text.startsWith("?") ? null : text.substring(0, 1);
    }

    @SuppressWarnings("NullAway") // what users may do all the same
    private static String key(String text) {
        return keyOrNone(text);
    }

    @Test
    void byKeyEachGetsTheAnswerThatBearsItsKeyInWhateverOrder() {
        BatchEndings<String> endings = byKey(List.of("a", "b", "c"), "c!", "a!", "b!");
        assertThat(List.of(endings.get(0), endings.get(1), endings.get(2)))
                .containsExactly(new Answered<>("a!"), new Answered<>("b!"), new Answered<>("c!"));
    }

    @Test
    void whoseAnswerIsMissingOrTwiceIsUnknownAndAForeignOneIsNobodys() {
        BatchEndings<String> endings =
                byKey(List.of("missing", "twice", "fine", "often"), "t1", "x", "t2", "f", "o1", "o2", "o3");
        assertThat(endings.size()).isEqualTo(4);
        for (int place : new int[] {0, 1, 3}) {
            CollapseTest.assertUnknown(endings.get(place), GARBLED, "contains no answer to this request");
        }
        assertThat(endings.get(2)).isEqualTo(new Answered<>("f"));
    }

    @Test
    void requestsOfOneKeyOrNoneNeverGetTheAnswerOfEachOther() {
        BatchEndings<String> endings = byKey(List.of("a1", "a2", "?1", "?2", "b"), "a!", "?!", "b!");
        for (int place : new int[] {0, 1, 2, 3}) {
            CollapseTest.assertUnknown(endings.get(place), GARBLED, "contains no answer to this request");
        }
        assertThat(endings.get(4)).isEqualTo(new Answered<>("b!"));
        CollapseTest.assertUnknown(byKey(List.of("?"), "?!").get(0), GARBLED, "contains no answer to this request");
    }

    @Test
    void anEndingIsGivenAsAServiceWould() throws Exception {
        Failed no = new Failed(Failed.Cause.REFUSED, "no");
        BatchEndings<String> endings =
                BatchEndings.<String>ofSize(3).answered(0, "yes").ended(1, no).build();
        assertThat(endings.answer(0)).isEqualTo("yes");
        assertThatThrownBy(() -> endings.answer(1)).isSameAs(no);
        assertThatThrownBy(() -> endings.answer(2)).isInstanceOf(Unknown.class);
    }

    @Test
    void aBatchIsBusyWhenOneOfItsAnswersIs() {
        assertThat(BatchEndings.answered(List.of((Busy) () -> false, (Busy) () -> true))
                        .isBusy())
                .isTrue();
        assertThat(BatchEndings.answered(List.of((Busy) () -> false, "fine")).isBusy())
                .isFalse();
    }

    @Test
    void whatIsBuiltDoesNotChange() {
        BatchEndings.Builder<String> builder = BatchEndings.<String>ofSize(1).answered(0, "first");
        BatchEndings<String> endings = builder.build();
        builder.answered(0, "second");
        assertThat(endings.get(0)).isEqualTo(new Answered<>("first"));
    }
}
