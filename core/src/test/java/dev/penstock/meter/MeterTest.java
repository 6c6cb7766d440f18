package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.lang.reflect.Proxy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

class MeterTest {
    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, IllegalStateException.class})
    void aLogThatThrowsDoesNotReplaceAnEnding(Class<? extends Throwable> thrown) {
        Logger broken = (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    throw thrown.getConstructor().newInstance();
                });
        assertThatCode(() -> Meter.warn(broken, "payments: rejected")).doesNotThrowAnyException();
    }
}
