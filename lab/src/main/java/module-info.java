/** Load, simulators, probes, measurement and comparison. */
module dev.penstock.lab {
    requires com.fasterxml.jackson.annotation;
    requires de.siegmar.fastcsv;
    requires java.management;
    requires jdk.management;
    requires static transitive org.jspecify;
    requires tools.jackson.core;
    requires tools.jackson.databind;
    requires transitive HdrHistogram;
    requires transitive dev.penstock.core;

    exports dev.penstock.lab.compare;
    exports dev.penstock.lab.compare.check;
    exports dev.penstock.lab.compare.foreign;
    exports dev.penstock.lab.datagram;
    exports dev.penstock.lab.load;
    exports dev.penstock.lab.measure;
    exports dev.penstock.lab.page;
    exports dev.penstock.lab.probe;
    exports dev.penstock.lab.race;
    exports dev.penstock.lab.report;
    exports dev.penstock.lab.simulate;
    exports dev.penstock.lab.simulate.tcp;
    exports dev.penstock.lab.simulate.udp;

    opens dev.penstock.lab.race to
            tools.jackson.databind;

    uses dev.penstock.lab.race.Race;
}
