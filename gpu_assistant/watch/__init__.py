"""Why is it slow? A program of the user's runs under our eyes.   WatchSpec -> events -> WatchRun -> WatchSummary"""
