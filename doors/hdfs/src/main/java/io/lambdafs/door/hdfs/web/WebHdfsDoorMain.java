package io.lambdafs.door.hdfs.web;

import io.lambdafs.door.hdfs.HdfsDoorConfig;
import io.lambdafs.rpc.ServiceMain;

/**
 * A door for HDFS's REST API as a process. Its single argument is a JSON file with {@link HdfsDoorConfig}'s keys. Exit
 * codes: 143 ended by SIGTERM, 2 wrong usage or configuration, 3 an address or file that cannot be had.
 */
public final class WebHdfsDoorMain {
    private WebHdfsDoorMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        ServiceMain.run(WebHdfsDoorMain.class, arguments, file -> WebHdfsDoor.start(HdfsDoorConfig.load(file))::close);
    }
}
