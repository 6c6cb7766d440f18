package dev.penstock.jms.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.amqp.transport.DeliveryState;
import org.apache.qpid.proton.codec.AMQPDefinedTypes;
import org.apache.qpid.proton.codec.DecoderImpl;
import org.apache.qpid.proton.codec.EncoderImpl;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.Transport;

/** Sends messages with any sections over AMQP 1.0, also those that no JMS client sends. For one thread. */
public final class AmqpSender implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final Socket socket;
    private final Transport transport = Transport.Factory.create();
    private final Connection connection = Connection.Factory.create();
    private final Sender sender;
    private final byte[] buffer = new byte[BUFFER];
    private int sent;

    private AmqpSender(Socket socket, String queue) throws IOException {
        this.socket = socket;
        transport.sasl().client();
        transport.sasl().setMechanisms("ANONYMOUS");
        transport.bind(connection);
        connection.setContainer("amqp-sender");
        connection.setHostname("localhost");
        connection.open();
        Session session = connection.session();
        session.open();
        sender = session.sender("amqp-sender");
        Target target = new Target();
        target.setAddress(queue);
        target.setCapabilities(Symbol.valueOf("queue"));
        sender.setTarget(target);
        sender.setSource(new Source());
        sender.open();
        exchangeUntil(() -> sender.getRemoteState() == EndpointState.ACTIVE && sender.getCredit() > 0);
    }

    /**
     * Connects without a login.
     *
     * @param port of 127.0.0.1
     */
    public static AmqpSender to(int port, String queue) throws IOException {
        return new AmqpSender(new Socket("127.0.0.1", port), queue);
    }

    /** Sends one message, and waits until the broker has accepted it. */
    public void send(Object... sections) throws IOException {
        byte[] encoded = encoded(sections);
        Delivery delivery = sender.delivery(Integer.toString(++sent).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        sender.send(encoded, 0, encoded.length);
        sender.advance();
        exchangeUntil(() -> delivery.getRemoteState() != null);
        DeliveryState state = delivery.getRemoteState();
        delivery.settle();
        if (!(state instanceof Accepted)) {
            throw new IOException("not accepted: " + state);
        }
    }

    private static byte[] encoded(Object... sections) {
        DecoderImpl decoder = new DecoderImpl();
        EncoderImpl encoder = new EncoderImpl(decoder);
        AMQPDefinedTypes.registerAllTypes(decoder, encoder);
        ByteBuffer all = ByteBuffer.allocate(BUFFER);
        encoder.setByteBuffer(all);
        for (Object section : sections) {
            encoder.writeObject(section);
        }
        byte[] bytes = new byte[all.flip().remaining()];
        all.get(bytes);
        return bytes;
    }

    private void exchangeUntil(BooleanSupplier done) throws IOException {
        write();
        while (!done.getAsBoolean()) {
            int count = socket.getInputStream().read(buffer);
            if (count < 0) {
                throw new IOException("closed by the broker: " + sender.getRemoteCondition());
            }
            for (int at = 0; at < count; ) {
                int room = Math.min(transport.capacity(), count - at);
                transport.tail().put(buffer, at, room);
                transport.process();
                at += room;
            }
            write();
        }
    }

    private void write() throws IOException {
        for (int pending = transport.pending(); pending > 0; pending = transport.pending()) {
            byte[] bytes = new byte[pending];
            transport.head().get(bytes);
            socket.getOutputStream().write(bytes);
            transport.pop(pending);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
