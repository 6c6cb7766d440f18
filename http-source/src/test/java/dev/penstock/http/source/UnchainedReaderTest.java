package dev.penstock.http.source;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.common.buffers.DataReader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UnchainedReaderTest {
    private final Deque<byte[]> coming = new ArrayDeque<>();
    private final UnchainedReader reader = new UnchainedReader(coming::pollFirst);

    private void comes(String text) {
        coming.add(text.getBytes(US_ASCII));
    }

    @Test
    void whatIsNotReadYetIsStillThereAfterIt() {
        comes("onetwo");
        assertThat(reader.readAsciiString(3)).isEqualTo("one");
        reader.renew();
        assertThat(reader.available()).isEqualTo(3);
        assertThat(reader.readAsciiString(3)).isEqualTo("two");
    }

    @Test
    void readsOnFromTheSameSource() throws Exception {
        comes("first\r\n");
        comes("second\r\n");
        assertThat(reader.readLine()).isEqualTo("first");
        reader.renew();
        assertThat(reader.available()).isZero();
        assertThat(reader.readLine()).isEqualTo("second");
    }

    /** What a newer server underneath may ask for would go to the reader that this one extends, and that has nothing. */
    @Test
    void allThatCanBeAskedIsPassedOn() {
        List<String> own = Stream.of(UnchainedReader.class.getDeclaredMethods())
                .map(UnchainedReaderTest::signature)
                .toList();
        assertThat(Stream.of(DataReader.class.getDeclaredMethods())
                        .filter(method -> Modifier.isPublic(method.getModifiers()))
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .map(UnchainedReaderTest::signature))
                .isNotEmpty()
                .isSubsetOf(own);
    }

    private static String signature(Method method) {
        return method.getName() + List.of(method.getParameterTypes());
    }
}
