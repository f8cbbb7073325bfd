package io.lambdafs.coordinator.zookeeper;

/**
 * The nodes of one file system. Each member has one in each of three folders, made together:
 *
 * <ul>
 *   <li>{@code members/<epoch>}, persistent, its data the member: known until it is forgotten; below it its letters, each an
 *       ephemeral node of its sender;
 *   <li>{@code leases/<epoch>}, persistent: a renewal writes it, a fence removes it;
 *   <li>{@code present/<epoch>}, ephemeral: goes with the session, and with it the right to renew.
 * </ul>
 *
 * Immutable.
 */
record Nodes(String root, String base) {
    static Nodes of(String fileSystem) {
        return new Nodes("/lambdafs", "/lambdafs/" + fileSystem);
    }

    String members() {
        return base + "/members";
    }

    String leases() {
        return base + "/leases";
    }

    String present() {
        return base + "/present";
    }

    String member(long epoch) {
        return members() + "/" + epoch;
    }

    String letter(long epoch, String name) {
        return member(epoch) + "/" + name;
    }

    String lease(long epoch) {
        return leases() + "/" + epoch;
    }

    String presence(long epoch) {
        return present() + "/" + epoch;
    }
}
