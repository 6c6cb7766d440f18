package dev.penstock.jms.source;

import jakarta.jms.Message;
import java.lang.reflect.Proxy;

/** A message whose content does not matter. */
final class Blank {
    static final Message MESSAGE = (Message) Proxy.newProxyInstance(
            Blank.class.getClassLoader(), new Class<?>[] {Message.class}, (self, method, given) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private Blank() {}
}
