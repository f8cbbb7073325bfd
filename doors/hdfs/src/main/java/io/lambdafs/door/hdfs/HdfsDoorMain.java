package io.lambdafs.door.hdfs;

import io.lambdafs.rpc.ServiceMain;

/**
 * A door for HDFS's wire as a process. Its single argument is a JSON file with {@link HdfsDoorConfig}'s keys. Exit
 * codes: 143 ended by SIGTERM, 2 wrong usage or configuration, 3 an address or file that cannot be had.
 */
public final class HdfsDoorMain {
    private HdfsDoorMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(HdfsDoorMain.class, arguments, file -> HdfsDoor.start(HdfsDoorConfig.load(file))::close);
    }
}
