package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForwardingConnectionTest {
    private final List<Method> called = new ArrayList<>();

    private final Connection target = (Connection) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                called.add(method);
                return zero(method.getReturnType());
            });

    private final ForwardingConnection forwarding = new ForwardingConnection() {
        @Override
        Connection delegate() {
            return target;
        }
    };

    private static @Nullable Object zero(Class<?> type) {
        return type == boolean.class ? false : type == int.class ? 0 : null;
    }

    @Test
    void forwardsEveryCall() throws Exception {
        for (Method method : Connection.class.getMethods()) {
            called.clear();
            @Nullable Object[] arguments = new @Nullable Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = zero(method.getParameterTypes()[i]);
            }
            if (method.getName().equals("unwrap") || method.getName().equals("isWrapperFor")) {
                arguments[0] = List.class;
            }

            Object _ = method.invoke(forwarding, arguments);

            assertThat(called).as(method.toString()).containsExactly(method);
        }
    }

    @Test
    void unwrapsToItself() throws Exception {
        assertThat(forwarding.unwrap(ForwardingConnection.class)).isSameAs(forwarding);
        assertThat(forwarding.isWrapperFor(ForwardingConnection.class)).isTrue();
        assertThat(called).isEmpty();
    }
}
