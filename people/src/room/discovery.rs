//! Rooms in the local network.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use mdns_sd::{ResolvedService, ServiceDaemon, ServiceEvent, ServiceInfo};
use thiserror::Error;

use super::line::PROTOCOL_VERSION;
use super::message::plain_name;

/// The name of the service.
const SERVICE: &str = "_tengen-room._tcp.local.";
/// The most rooms that are noted.
const MOST_ROOMS: usize = 1024;

/// The reason why rooms cannot be found or made known.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no rooms can be found or made known in this network: {0}")]
pub struct DiscoveryError(String);

/// A room that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundRoom {
    /// The name of the host; it can be shown.
    pub name: String,
    /// The game; safe to print.
    pub game: String,
    /// Where it is.
    pub address: SocketAddr,
}

/// The rooms of a network, as they are heard of.
///
/// Everybody can announce as many as they like, and a computer has seldom more than one. So one that is
/// where many others are gives way to others.
#[derive(Clone, Debug, Default)]
pub struct RoomBoard {
    rooms: BTreeMap<String, FoundRoom>,
    /// The number of rooms at an address.
    at: BTreeMap<IpAddr, usize>,
}

impl RoomBoard {
    /// Notes a room: the name of its service, its properties, and its addresses. One that speaks
    /// another version, or that is nowhere, is left out, as are those that are too many.
    pub fn add(
        &mut self,
        service: &str,
        property: impl Fn(&str) -> Option<String>,
        addresses: impl IntoIterator<Item = IpAddr>,
        port: u16,
    ) {
        let version = property("version").and_then(|version| version.parse::<u32>().ok());
        // A link-local address of the sixth version needs the name of the interface as well.
        let usable = |ip: &IpAddr| match ip {
            IpAddr::V4(_) => true,
            IpAddr::V6(ip) => !ip.is_unicast_link_local(),
        };
        let address = addresses.into_iter().filter(usable).min();
        let (Some(PROTOCOL_VERSION), Some(address)) = (version, address) else { return };
        self.remove(service);
        if self.rooms.len() >= MOST_ROOMS && !self.has_made_place(address) {
            return;
        }
        let text = |key| plain_name(&property(key).unwrap_or_default());
        let (name, game) = (text("name"), text("game"));
        let room = FoundRoom { name, game, address: SocketAddr::new(address, port) };
        self.rooms.insert(service.to_owned(), room);
        *self.at.entry(address).or_default() += 1;
    }

    /// Removes a room where most are; does nothing if no more are there than at this address.
    fn has_made_place(&mut self, address: IpAddr) -> bool {
        let here = self.count(address);
        let Some((&crowd, &most)) = self.at.iter().max_by_key(|(_, count)| **count) else {
            return false;
        };
        let of_crowd = self.rooms.iter().find(|(_, room)| room.address.ip() == crowd);
        let Some(service) = of_crowd.map(|(service, _)| service.clone()) else { return false };
        if most > here {
            self.remove(&service);
        }
        most > here
    }

    fn count(&self, address: IpAddr) -> usize {
        self.at.get(&address).copied().unwrap_or(0)
    }

    /// Forgets a room by the name of its service.
    pub fn remove(&mut self, service: &str) {
        let Some(room) = self.rooms.remove(service) else { return };
        let left = self.count(room.address.ip()) - 1;
        match left {
            0 => self.at.remove(&room.address.ip()),
            left => self.at.insert(room.address.ip(), left),
        };
    }

    /// Returns the rooms in the order of their names, those at crowded addresses last.
    #[must_use]
    pub fn rooms(&self) -> Vec<FoundRoom> {
        let mut rooms: Vec<FoundRoom> = self.rooms.values().cloned().collect();
        rooms.sort_by_cached_key(|room| {
            (self.count(room.address.ip()), room.name.clone(), room.address)
        });
        rooms
    }
}

/// A voice and an ear for rooms in the local network. A room that is made known is so until this is
/// dropped.
pub struct Discovery(ServiceDaemon);

impl Discovery {
    /// Begins to listen and speak.
    ///
    /// # Errors
    ///
    /// Returns an error if the system lets nobody do that.
    pub fn begin() -> Result<Discovery, DiscoveryError> {
        ServiceDaemon::new().map(Discovery).map_err(because)
    }

    /// Makes a room known, with the name of its host and what is played.
    ///
    /// # Errors
    ///
    /// Returns an error if the system lets nobody do that.
    pub fn announce(&self, name: &str, game: &str, port: u16) -> Result<(), DiscoveryError> {
        let instance = format!("tengen-{port}-{:08x}", rand::random::<u32>());
        let version = PROTOCOL_VERSION.to_string();
        let properties = [("version", version.as_str()), ("name", name), ("game", game)];
        let host = format!("{instance}.local.");
        let service = ServiceInfo::new(SERVICE, &instance, &host, "", port, &properties[..]);
        self.0.register(service.map_err(because)?.enable_addr_auto()).map_err(because)
    }

    /// Listens for rooms for this time.
    ///
    /// # Errors
    ///
    /// Returns an error if the system lets nobody do that.
    pub fn find(&self, time: Duration) -> Result<RoomBoard, DiscoveryError> {
        let heard = self.0.browse(SERVICE).map_err(because)?;
        let deadline = Instant::now() + time;
        let mut board = RoomBoard::default();
        // An ear that is flooded always has something to tell, so the time alone does not end it.
        while let Some(left) =
            deadline.checked_duration_since(Instant::now()).filter(|t| !t.is_zero())
            && let Ok(event) = heard.recv_timeout(left)
        {
            match event {
                ServiceEvent::ServiceResolved(service) => note(&mut board, &service),
                ServiceEvent::ServiceRemoved(_, service) => board.remove(&service),
                _ => {}
            }
        }
        // The ear is closed with the daemon.
        let _ = self.0.stop_browse(SERVICE);
        Ok(board)
    }
}

impl Drop for Discovery {
    fn drop(&mut self) {
        // It says good-bye for the room on its way out.
        let _ = self.0.shutdown();
    }
}

fn note(board: &mut RoomBoard, service: &ResolvedService) {
    let property = |key: &str| service.get_property_val_str(key).map(str::to_owned);
    let addresses = service.get_addresses().iter().map(|address| address.to_ip_addr());
    board.add(service.get_fullname(), property, addresses, service.get_port());
}

fn because(error: impl std::fmt::Display) -> DiscoveryError {
    DiscoveryError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(board: &mut RoomBoard, service: &str, version: &str, name: &str, addresses: &[&str]) {
        let property = |key: &str| match key {
            "version" => Some(version.to_owned()),
            "name" => Some(name.to_owned()),
            "game" => Some("renju 15x15".to_owned()),
            _ => None,
        };
        board.add(service, property, addresses.iter().map(|a| a.parse().unwrap()), 4000);
    }

    #[test]
    fn rooms_are_listed_by_name_without_those_nobody_could_join() {
        let mut board = RoomBoard::default();
        add(&mut board, "b", "1", "Bob\u{1b}[31m", &["fe80::1", "10.0.0.2"]);
        add(&mut board, "a", "1", "Ann", &["2001:db8::1"]);
        add(&mut board, "c", "2", "Cleo", &["10.0.0.3"]);
        add(&mut board, "d", "1", "Dan", &["fe80::2"]);
        add(&mut board, "e", "", "Eve", &["10.0.0.4"]);
        let rooms = board.rooms();
        let shown: Vec<String> =
            rooms.iter().map(|room| format!("{} {}", room.name, room.address)).collect();
        assert_eq!(shown, ["Ann [2001:db8::1]:4000", "Bob\u{fffd}[31m 10.0.0.2:4000"]);
        assert!(rooms.iter().all(|room| room.game == "renju 15x15"));
        board.remove("a");
        add(&mut board, "b", "1", "Bob", &["10.0.0.9"]);
        assert_eq!(board.rooms()[0].address.to_string(), "10.0.0.9:4000", "it has moved");
    }

    #[test]
    fn a_flood_of_rooms_hides_no_other() {
        let mut board = RoomBoard::default();
        add(&mut board, "early", "1", "Ann", &["10.0.0.2"]);
        for i in 0..3 * MOST_ROOMS {
            // Also from some addresses, and under one name.
            let address = format!("10.0.1.{}", i % 5);
            add(&mut board, &format!("x{i}"), "1", "Aaron", &[&address]);
        }
        add(&mut board, "late", "1", "Zoe", &["10.0.0.3"]);
        let rooms = board.rooms();
        assert_eq!(rooms.len(), MOST_ROOMS);
        assert_eq!((&*rooms[0].name, &*rooms[1].name), ("Ann", "Zoe"));
        for service in ["early", "late"] {
            board.remove(service);
        }
        assert!(board.rooms().iter().all(|room| room.name == "Aaron"));
        for i in 0..3 * MOST_ROOMS {
            board.remove(&format!("x{i}"));
        }
        assert!(board.rooms().is_empty() && board.at.is_empty());
    }
}
