package dev.penstock.flow;

import dev.penstock.Durations;
import dev.penstock.Setting.Origin;
import dev.penstock.dedupe.Dedupe;

/** How the settings of a dedupe are shown. */
final class DedupePlan {
    private DedupePlan() {}

    static void show(Dedupe dedupe, SettingsLedger settings) {
        settings.add("dedupe", "dedupe.key", dedupe.by(), "a key", "one transaction for each is sent", Origin.FILE);
        settings.add(
                "dedupe", "dedupe.store", dedupe.where(), "a ledger", "where keys and endings are kept", Origin.FILE);
        settings.add(
                "dedupe",
                "dedupe.keep",
                Durations.words(dedupe.keep()),
                "1 s..366 d",
                "the same key again gets the first ending for so long, and is new after that",
                origin(dedupe.keep().equals(Dedupe.DEFAULT_KEEP)));
        settings.add(
                "dedupe",
                "dedupe.max_answer",
                dedupe.maxAnswer(),
                "0..16 MB",
                "bytes of an answer that are kept; of a larger one only that there was one",
                origin(dedupe.maxAnswer() == Dedupe.DEFAULT_MAX_ANSWER));
    }

    private static Origin origin(boolean standard) {
        return standard ? Origin.DEFAULT : Origin.FILE;
    }
}
