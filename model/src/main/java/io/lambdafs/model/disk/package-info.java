/** Files and folders of this machine. Everything here is stateless. */
@NullMarked
package io.lambdafs.model.disk;

import org.jspecify.annotations.NullMarked;
