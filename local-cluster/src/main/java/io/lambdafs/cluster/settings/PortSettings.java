package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;
import static io.lambdafs.cluster.settings.SettingsCheck.isPort;

/** Ports; 0 for any free one, kept across restarts unless taken. */
public record PortSettings(
        int gateway, int store, int postgres, int ndb, int zookeeper, int datanode, int hdfs, int webhdfs, int s3) {
    public PortSettings {
        check(
                isPort(datanode) && isPort(datanode + Service.MOST_DATANODES),
                "ports.datanode",
                "0.." + (65_535 - Service.MOST_DATANODES),
                datanode);
        check(isPort(gateway), "ports.gateway", "0..65535", gateway);
        check(
                isPort(store) && isPort(store + Service.MOST_STORES),
                "ports.store",
                "0.." + (65_535 - Service.MOST_STORES),
                store);
        check(isPort(postgres), "ports.postgres", "0..65535", postgres);
        checkDoor("ports.hdfs", hdfs);
        checkDoor("ports.webhdfs", webhdfs);
        checkDoor("ports.s3", s3);
        check(isPort(ndb), "ports.ndb", "0..65535", ndb);
        check(isPort(zookeeper), "ports.zookeeper", "0..65535", zookeeper);
    }

    /** Returns the port of the n-th one: the first uses the setting, the others the next ones. */
    public int store(int number) {
        return store == 0 ? 0 : store + Math.max(0, number - 1);
    }

    /** Returns the port of the n-th one: the first uses the setting, the others the next ones. */
    public int datanode(int number) {
        return datanode == 0 ? 0 : datanode + number - 1;
    }

    private static void checkDoor(String name, int port) {
        check(isPort(port) && isPort(port + Service.MOST_DOORS), name, "0.." + (65_535 - Service.MOST_DOORS), port);
    }

    /** Returns the port of a door: the first of its kind uses the setting, the others the next ones. */
    public int door(Service door) {
        int first = switch (door.kind()) {
            case HDFS -> hdfs;
            case WEBHDFS -> webhdfs;
            default -> s3;
        };
        return first == 0 ? 0 : first + Math.max(0, door.number() - 1);
    }
}
