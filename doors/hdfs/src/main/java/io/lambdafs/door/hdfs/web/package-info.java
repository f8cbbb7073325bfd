/** WebHDFS: HDFS's REST API, by the same answers as its ClientProtocol. */
@NullMarked
package io.lambdafs.door.hdfs.web;

import org.jspecify.annotations.NullMarked;
