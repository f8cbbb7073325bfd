package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

import java.util.Locale;

/**
 * Round trips added to what the machine's own links take, to emulate a distance in experiments; 0 for none.
 *
 * @param tcpMicros of a client's request to an instance over a connection
 * @param httpMicros of a client's call by HTTP
 * @param storeMicros of an instance's request to the store
 * @param coordinationMicros of an INV and its ACK
 */
public record DistanceSettings(int tcpMicros, int httpMicros, int storeMicros, int coordinationMicros) {
    public static final DistanceSettings NONE = new DistanceSettings(0, 0, 0, 0);

    private static final int MOST_MICROS = 1_000_000;

    public DistanceSettings {
        within("distance.tcpMicros", tcpMicros);
        within("distance.httpMicros", httpMicros);
        within("distance.storeMicros", storeMicros);
        within("distance.coordinationMicros", coordinationMicros);
    }

    private static void within(String key, int micros) {
        check(micros >= 0 && micros <= MOST_MICROS, key, "0.." + MOST_MICROS, micros);
    }

    /** Returns whether instances are told of any. */
    public boolean concernsInstances() {
        return storeMicros > 0 || coordinationMicros > 0;
    }

    /** Returns whether clients are told of any. */
    public boolean concernsClients() {
        return tcpMicros > 0 || httpMicros > 0;
    }

    /** Describes the round trips, for people. */
    public String describe() {
        if (!concernsClients() && !concernsInstances()) {
            return "none: every link is as short as this machine makes it";
        }
        return String.format(
                Locale.ROOT,
                "round trips of %s ms by TCP and %s ms by HTTP from the clients, %s ms to the store, %s ms for an INV",
                millis(tcpMicros),
                millis(httpMicros),
                millis(storeMicros),
                millis(coordinationMicros));
    }

    private static String millis(int micros) {
        return micros % 1_000 == 0 ? String.valueOf(micros / 1_000) : String.valueOf(micros / 1e3);
    }
}
