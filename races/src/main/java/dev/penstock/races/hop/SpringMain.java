package dev.penstock.races.hop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** The process of Spring Cloud Gateway: what its makers tell people to write, with its routes in its file. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
final class SpringMain {
    SpringMain() {}

    /**
     * Serves.
     *
     * @param args settings, as Spring takes them
     */
    public static void main(String[] args) {
        SpringApplication.run(SpringMain.class, args);
    }
}
