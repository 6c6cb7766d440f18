package dev.penstock.http;

import dev.penstock.Unanswered;
import java.io.IOException;
import java.time.Duration;

/** A program that exits while a call is in flight. */
final class ExitingProgram {
    private ExitingProgram() {}

    public static void main(String[] arguments) throws IOException {
        HttpTarget target = HttpTarget.at(arguments[0]).closeAtExit().build();
        Thread caller = Thread.ofPlatform().daemon().start(() -> call(target));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitEnd(caller)));
        // Until the input ends.
        int _ = System.in.read();
    }

    private static void call(HttpTarget target) {
        try {
            System.out.println(target.call(HttpCall.get("/")));
        } catch (Unanswered ending) {
            System.out.println(ending.ending() + " " + ending.causeName());
        }
    }

    private static void awaitEnd(Thread caller) {
        try {
            boolean _ = caller.join(Duration.ofSeconds(60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
